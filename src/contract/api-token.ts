/** How a token for the daemon's API looks, wherever it stands. */
export const apiTokenForm = /clew_api_[a-z0-9]{1,32}_[\w-]{43}/;
