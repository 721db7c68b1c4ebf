import { speech } from "../en/speech.ts";
import { speak } from "../index.ts";

speak(() => speech);
