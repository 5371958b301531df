import { ToolError } from '@/lib/protocol/tool'

const mostCharacters = 1_000
const mostParts = 40
const mostNameBytes = 255

/** Returns a path in its one spelling, which rules about arguments are compared with: without "./" and a slash at the end. */
export function plainPath(path: string): string {
  if (path.startsWith('/')) return path
  const plain = path.replace(/^(\.\/)+/, '').replace(/\/$/, '')
  return plain === '.' ? '' : plain
}

/** Returns the one answer for what is missing, forbidden, outside, or no file or folder at all (SPEC T4). */
export function notPermitted(): ToolError {
  return new ToolError('not-found', 'File or folder not found or not permitted.')
}

/**
 * Returns the names of a path relative to its workspace, one after the other; none = the workspace itself. Throws ToolError
 * for a path that is absolute, leads up, has unprintable characters, or has a name that tools may not see.
 */
export function partsOf(path: string): string[] {
  const plain = plainPath(path)
  if (plain === '') return []
  if (plain.length > mostCharacters || plain.startsWith('/')) throw notPermitted()
  const parts = plain.split('/')
  if (parts.length > mostParts || !parts.every(isVisible)) throw notPermitted()
  return parts
}

/** Returns whether tools may see a file or folder of this name. */
export function isVisible(name: string): boolean {
  if (!isPlain(name)) return false
  const folded = foldedName(name)
  if (folded.startsWith('.')) return shownDotNames.has(folded)
  return !secretNames.some((pattern) => pattern.test(folded))
}

/** Returns whether tools may change a file of this name: none with a dot in front, which programs obey. */
export function isWritable(name: string): boolean {
  return isVisible(name) && !foldedName(name).startsWith('.')
}

/**
 * Returns whether a name is one that people type. U+FFFD is read in the place of bytes that are no text: such a name leads
 * elsewhere.
 */
function isPlain(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) return false
  if (Buffer.byteLength(name) > mostNameBytes) return false
  return !/[/\\\p{Cc}\uFFFD]/u.test(name)
}

/** Returns a name as file systems compare it that ignore case, forms of letters and invisible characters. */
function foldedName(name: string): string {
  const visible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible(visible(name).normalize('NFKC').toLowerCase()).trim()
}

/** Names with a dot that people expect in a listing and that hold no secrets. They are never written. */
const shownDotNames: ReadonlySet<string> = new Set([
  '.dockerignore',
  '.editorconfig',
  '.gitattributes',
  '.github',
  '.gitignore',
  '.node-version',
  '.nvmrc',
])

/** Endings that editors and people append to the name of a copy. */
const copyEnding = /(~|\.(bak|backup|copy|old|orig|save|swp|tmp|\d+))*$/.source

const secretNames: readonly RegExp[] = [
  new RegExp(
    `\\.(pem|key|p8|p12|pfx|kdbx?|jks|keystore|ppk|gpg|pgp|asc|ovpn|tfstate|tfvars|htpasswd)${copyEnding}`,
  ),
  /^id_/,
  /^credentials/,
  /^secrets?(\.|~|$)/,
  /^(htpasswd|shadow|_netrc|_npmrc|authorized_keys)/,
  /\.tfstate\./,
  // The short names that FAT gives to long ones: CREDEN~1.JSO opens credentials.json.
  /^[^.]{1,8}~\d+(\.|$)/,
]

/** Names with a dot in which programs keep keys and passwords. */
const secretDotNames =
  /^\.(env|envrc|npmrc|yarnrc|netrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|ssh|aws|azure|gnupg|kube|docker|terraform\.d|vault-token|password-store)(\.|~|-|_|$)/

/** Returns whether a file or folder of this name holds secrets, and nothing else that a program would need. */
export function isSecretName(name: string): boolean {
  const folded = foldedName(name)
  return secretDotNames.test(folded) || secretNames.some((pattern) => pattern.test(folded))
}
