/** What every run says at its end. */
export const lastWords = 'That is what the log says.'

/** A prompt whose model asks for one page a round, `rounds` times, and then answers. */
export function pagesPrompt(rounds: number): string {
  const turns = Array.from(
    { length: rounds },
    (_, index) =>
      `[[say: Now I look at page ${index + 1} of the log.]] [[call read_page {"page":${index + 1}}]]`,
  )
  return [...turns, `[[say: ${lastWords}]]`].join('[[then]]')
}

/**
 * A prompt whose model thinks for a moment and then streams, its first word being when that word was sent. The number
 * does not stand at the end of the word: digits there may be the beginning of a canary, and wait for what follows.
 */
export const firstWordPrompt = '[[wait 60ms]] [[say slowly 10ms: {{now}}_ns and four more words]]'

/** Milliseconds since the moment that the text begins with; null when it begins with something else. */
export function sinceMoment(text: string): number | null {
  const moment = /^\s*(\d{6,})_/.exec(text)?.[1]
  return moment === undefined ? null : Number(process.hrtime.bigint() - BigInt(moment)) / 1e6
}
