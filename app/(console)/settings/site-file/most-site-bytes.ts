/** Below what Next takes from a page in one go (1 MB), with room for what is sent along. */
export const mostSiteBytes = 900_000

export const tooLarge =
  'The file is larger than 900 KB. Split it, or apply it in a terminal on the server.'
