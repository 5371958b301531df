/** Below the limit of the routes that take it, with room for what JSON adds. */
export const mostSiteBytes = 4 * 1024 * 1024

export const tooLarge =
  'The file is larger than 4 MiB. Split it, or apply it on the command line of the server.'
