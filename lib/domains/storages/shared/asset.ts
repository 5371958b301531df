import { cleanText } from '@/lib/words/clean-text'
import { formatBytes } from '@/lib/words/format'

const mebibyte = 1024 * 1024
/** The largest file that any storage takes, in MiB: more could not be received at once. */
export const mostAssetMebibytes = 50
export const mostAssetBytes = mostAssetMebibytes * mebibyte

/** Returns as many bytes as so many MiB are. */
export function bytesOf(mebibytes: number): number {
  return mebibytes * mebibyte
}

/** Returns what is said of a file that is larger than a storage takes. */
export function tooLargeWords(largestFile: number): string {
  return `A file of this storage may have up to ${formatBytes(bytesOf(largestFile))}.`
}

/** Maximum characters of an alternative text. */
export const mostTextCharacters = 1_000

/** Returns an alternative text as it is stored: one line without control characters. */
export function plainAlternativeText(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

/** Maximum characters of a path and of one of its names, and the maximum number of names. */
export const mostPathCharacters = 500
const mostNameCharacters = 200
const mostNames = 20

/** Characters that nobody sees, and those that turn the direction of a text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Returns the one spelling of a path: composed characters, no slash at its ends, no empty names and no "." in it. */
export function plainAssetPath(path: string): string {
  const names = path.normalize('NFC').split('/')
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.')
    .join('/')
}

/** Returns what is wrong with a plain path, as a sentence; null = nothing. */
export function assetPathProblem(path: string): string | null {
  const names = path === '' ? [] : path.split('/')
  if (path.length > mostPathCharacters) {
    return `A path has at most ${mostPathCharacters} characters.`
  }
  if (unseen.test(path)) return 'A path has no invisible characters.'
  if (path.includes('\\')) return 'Use / between folders.'
  if (names.includes('..')) return 'A path does not lead out of its storage: no folder is "..".'
  if (names.length > mostNames) return `A path has at most ${mostNames} names.`
  if (names.some((name) => name.length > mostNameCharacters)) {
    return `A name has at most ${mostNameCharacters} characters.`
  }
  return null
}

/** Returns the name of the file that a path leads to. */
export function assetName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
