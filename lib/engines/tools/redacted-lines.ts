import { redactLines } from '@/lib/kernel/redaction/redact-text'
import { mayGoOn } from '@/lib/kernel/redaction/text-view'

/** The longest line that is held back until it is whole, so that no half of a secret is shown. */
const longestLine = 4_096

/** More is not shown while it is written: looking for secrets in it takes time from everybody else. The result has all of it. */
const mostShown = 256 * 1024
const restWords = '… What follows is shown when the command ends.\n'

/** Passes on whole lines without secrets. The last ones wait where a secret may go on in the next. */
export function byLine(tell: (text: string) => void) {
  /** The last lines that were passed on, for what begins there. */
  let before = ''
  let open = ''
  let passedOn = 0
  const pass = (end: number) => {
    const passed = before + open.slice(0, end)
    // Text that still waits shows whether a secret of the line before goes on in it.
    const shown = redactLines((before + open).split('\n'), { hashes: true })
    const isWhole = passed.endsWith('\n')
    const last = passed.split('\n').length - (isWhole ? 1 : 0)
    const text = shown.slice(before.split('\n').length - 1, last).join('\n')
    tell(isWhole ? `${text}\n` : text)
    passedOn += end
    if (passedOn >= mostShown) {
      open = ''
      return tell(isWhole ? restWords : `\n${restWords}`)
    }
    before = isWhole && isUnfinished(passed) ? passed.slice(-longestLine) : ''
    open = open.slice(end)
  }
  return {
    push: (text: string): void => {
      if (passedOn >= mostShown) return
      open += text
      const end = wholeLines(open)
      if (end > 0) pass(end)
    },
    close: (): void => {
      if (open !== '') pass(open.length)
    },
  }
}

/** Returns whether a secret of a text may go on in what follows it. */
function isUnfinished(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1)
  return mayGoOn(last) || text.lastIndexOf('-----BEGIN') > text.lastIndexOf('-----END')
}

/** Maximum long lines that wait for the line after them, and lines that end with a backslash. */
const mostWaiting = 2

/** Returns how much of an output can be passed on. */
function wholeLines(open: string): number {
  let end = open.lastIndexOf('\n') + 1
  if (open.length > longestLine) return end || open.length
  for (let waiting = 0; end > 0; ) {
    const start = open.lastIndexOf('\n', end - 2) + 1
    const line = open.slice(start, end - 1)
    if (!line.endsWith('\\')) waiting += 1
    if (!mayGoOn(line) || waiting > mostWaiting) break
    end = start
  }
  return end
}
