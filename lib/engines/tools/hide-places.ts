const fileAddress = /\bfile:\/\/(?=\/)/g
const webAddress = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>()]+/gi
const email = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
const lookedUp = /\b(ENOTFOUND|EAI_AGAIN|EAI_NODATA)\s+[^\s"'`<>()]+/g
const ipv4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])(?::\d{1,5})?/g
const ipv6 = /(?<![\w:.])\[?[0-9a-f:]{2,45}\]?(?![\w:])/gi
const port =
  /(?<![\w.@/-])(?:localhost|(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{1,63}):\d{1,5}(?![\d:])/gi
/** A path from the top of the file system. What follows a letter, such as "and/or", is none. */
const path = /(?<![\w.)\]~-])(?:~\/|\/|[A-Za-z]:[\\/]|\\\\)[^\s"'`<>(),;:]+/g
const sourceFile = /\.(?:[cm]?[jt]sx?|json|node):/

/**
 * Returns a text without paths of the server and addresses: paths below `folder` are given from there on, all others and
 * all addresses are replaced by a word. Time grows linearly with the text.
 */
export function hidePlaces(text: string, folder: string): string {
  const inside = folder === '/' ? folder : `${folder}/`
  return text
    .replace(fileAddress, '')
    .replaceAll(inside, '')
    .replace(webAddress, '[address]')
    .replace(email, '[address]')
    .replace(lookedUp, '$1 [address]')
    .replace(ipv6, (whole) => (isIpv6(whole) ? '[address]' : whole))
    .replace(ipv4, '[address]')
    .replace(port, (whole) => (sourceFile.test(whole) ? whole : '[address]'))
    .replace(path, '[path]')
}

function isIpv6(text: string): boolean {
  return text.includes('::') || text.split(':').length > 5
}
