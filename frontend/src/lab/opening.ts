/** What panels and workbenches need beside their own code, so that pages need not carry it: styles and words. */
import { fetchLater } from "../words";

let loading: Promise<void> | undefined;

export const beforeOpening = (): Promise<unknown> => Promise.all([styles(), fetchLater()]);

function styles(): Promise<void> {
  return (loading ??= new Promise((done, fail) => {
    const address = document.querySelector<HTMLMetaElement>('meta[name="later-styles"]')?.content;
    if (!address) return done(); // in development the styles come with the modules
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = address;
    sheet.onload = () => done();
    sheet.onerror = () => {
      loading = undefined;
      sheet.remove();
      fail(new Error(`${address} could not be loaded`));
    };
    document.head.append(sheet);
  }));
}
