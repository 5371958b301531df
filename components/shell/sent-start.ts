/** Key under which this tab keeps its last start until the answer arrives. */
const sentStartKey = 'toolgate.start'

/** The key of a start, and the first words of its prompt. */
type SentStart = { key: string; words: string }

/** Notes a start before it is sent, so that the next page can say if it was lost. */
export function noteStart(key: string, words: string): void {
  try {
    sessionStorage.setItem(sentStartKey, `${key} ${words}`)
  } catch {
    // Without storage, a start that is lost with its page is not noticed.
  }
}

/** Forgets the start, because its answer is there. */
export function forgetStart(): void {
  try {
    sessionStorage.removeItem(sentStartKey)
  } catch {
    // Then nothing was noted.
  }
}

/** Returns the start whose answer never came; null = there is none. */
export function sentStart(): SentStart | null {
  try {
    const [key = '', ...words] = (sessionStorage.getItem(sentStartKey) ?? '').split(' ')
    return key === '' ? null : { key, words: words.join(' ') }
  } catch {
    return null
  }
}
