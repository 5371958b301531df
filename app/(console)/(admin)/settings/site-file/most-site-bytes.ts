/** The largest site file in bytes. It is below the request limit of its routes, with room for JSON escapes. */
export const mostSiteBytes = 4 * 1024 * 1024

export const tooLarge = 'The file is larger than 4 MiB. Split it.'
