// Starts a fake, says where it is, and waits to be killed.
import { createFake } from "@socialfeed/refserver";

const fake = await createFake();
console.log(fake.url);
setInterval(() => {}, 1000);
