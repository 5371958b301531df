/** The last answer of every run. */
export const lastWords = 'That is what the log says.'

/** Returns a prompt whose model asks for one page per round, `rounds` times, and then answers. */
export function pagesPrompt(rounds: number): string {
  const turns = Array.from(
    { length: rounds },
    (_, index) =>
      `[[say: Now I look at page ${index + 1} of the log.]] [[call read_page {"page":${index + 1}}]]`,
  )
  return [...turns, `[[say: ${lastWords}]]`].join('[[then]]')
}

/**
 * A prompt whose model waits for a moment and then streams. Its first word has the time at which it was sent. The time
 * is not at the end of the word, because the loop holds back digits there, which may begin a canary.
 */
export const firstWordPrompt = '[[wait 60ms]] [[say slowly 10ms: {{now}}_ns and four more words]]'

/** The same, but the end of the first word may begin a canary, so that it is held back until the next word (SPEC T7). */
export const heldWordPrompt =
  '[[wait 60ms]] [[say slowly 10ms: {{now}}_canary and four more words]]'

/** Returns the milliseconds since the time at the beginning of the text; null when there is none. */
export function sinceMoment(text: string): number | null {
  const moment = /^\s*(\d{6,})_/.exec(text)?.[1]
  return moment === undefined ? null : Number(process.hrtime.bigint() - BigInt(moment)) / 1e6
}
