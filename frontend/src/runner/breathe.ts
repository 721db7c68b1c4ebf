/** Lets messages in: a MessageChannel costs microseconds where setTimeout is clamped to 4 ms. */
const channel = new MessageChannel();
export const breathe = () =>
  new Promise<void>((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
