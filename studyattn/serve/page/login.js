// The token is in the cookie now: take it out of the address bar.
"use strict";

history.replaceState(null, "", "/");
