import { speech } from "../de/speech.ts";
import { speak } from "../index.ts";

speak(() => speech);
