import path from 'node:path'

/** Answers to "is the path in the folder", by the rules of each system that may open it. */
type Readings = readonly boolean[]

/** Returns why a folder cannot be compared with, as a sentence; null = it can. */
export function folderIssue(folder: string): string | null {
  if (folder.includes('\0')) return 'A path has no NUL character.'
  const isAbsolute = folder.startsWith('/') || isWindowsPath(folder)
  return isAbsolute ? null : 'Enter an absolute path, such as /srv/reports or C:\\reports.'
}

/** Returns whether a path or a file's URL may be in the folder, or be the folder: on any system that may read it. */
export function mayBeUnder(given: string, folder: string): boolean {
  return pathsOf(given).some((path) => readings(path, folder).some((isUnder) => isUnder))
}

/** Returns whether a path may be outside of the folder: on any system that may read it. A relative path always is, and a URL. */
export function mayBeOutside(given: string, folder: string): boolean {
  return readings(given, folder).some((isUnder) => !isUnder)
}

/** Returns a text as a path, and where it is a file's URL also the paths that this means. Throws for one that cannot be decoded. */
function pathsOf(given: string): string[] {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url?.protocol !== 'file:') return [given]
  const place = decodeURIComponent(url.pathname)
  return [
    given,
    place,
    url.host === '' ? place.replace(/^\/(?=[a-z]:)/i, '') : `//${url.host}${place}`,
  ]
}

/** Reads both as POSIX, as a Mac and as Windows does; a folder that begins with a drive or `\\` is on Windows alone. Throws for a path that no system can open. */
function readings(given: string, folder: string): Readings {
  if (given.includes('\0')) throw new Error('A path has no NUL character.')
  const onWindows = isUnder(windowsPath(given), windowsPath(folder), path.win32)
  if (isWindowsPath(folder)) return [onWindows]
  const onMac = isUnder(macPath(given), macPath(folder), path.posix)
  const onPosix = isUnder(path.posix.normalize(given), path.posix.normalize(folder), path.posix)
  return [onPosix, onMac, onWindows]
}

/** Returns a path as a Mac reads it: without case, and an accent is the same whatever it is made of. */
function macPath(text: string): string {
  return path.posix.normalize(text).normalize('NFC').toLowerCase()
}

function isWindowsPath(text: string): boolean {
  return /^(?:[a-z]:[\\/]|\\\\)/i.test(text)
}

function isUnder(given: string, folder: string, { isAbsolute, sep }: path.PlatformPath): boolean {
  if (!isAbsolute(given)) return false
  const root = folder.endsWith(sep) ? folder : folder + sep
  return given === folder || (given + sep).startsWith(root)
}

/**
 * Returns a path as Windows reads it, in small letters: both slashes, no dots and blanks at the end of a name, and without the
 * prefix of a device.
 */
function windowsPath(text: string): string {
  const plain = text
    .replaceAll('/', '\\')
    .replace(/^\\\\[?.]\\(UNC\\)?/i, (_all, unc) => (unc ? '\\\\' : ''))
  const names = plain.split('\\').map(windowsName)
  return path.win32.normalize(names.join('\\')).toLowerCase()
}

function windowsName(name: string): string {
  const kept = name.replace(/[. ]+$/, '')
  if (kept !== '') return kept
  return name.includes('..') ? '..' : name.trim()
}
