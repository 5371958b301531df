import type { ModelRequest } from '@/lib/protocol/model/message'

/**
 * Points at which a provider is told to cache the prompt for the next request. `prefix`: after tools and system text.
 * `history`: after the newest message, and after the newest one of the request before. Providers look back only a few
 * blocks and a round may have more, so the second mark finds the entry that the first one wrote.
 */
export type CacheMarks = { prefix: boolean; history: boolean }

const noMarks: CacheMarks = { prefix: false, history: false }

/**
 * Returns where to mark the request for caching (SPEC R4, R15d). Marked input costs more once, so there is no mark
 * where nothing reads it again: a request without tools is the only one of its run, or the last one.
 */
export function cacheMarks({ options, tools, messages }: ModelRequest): CacheMarks {
  if (options?.promptCaching === false) return noMarks
  if (tools.length > 0) return { prefix: true, history: true }
  const answers = messages.filter((message) => message.role === 'assistant')
  const isClosing = answers.some(({ toolCalls }) => toolCalls.length > 0)
  return isClosing ? noMarks : { prefix: true, history: answers.length > 0 }
}

/** Returns the indexes of the last two messages of the user, newest first. `history` marks their ends. */
export function markedMessages(count: number, isUser: (index: number) => boolean): number[] {
  const marked: number[] = []
  for (let index = count - 1; index >= 0 && marked.length < 2; index -= 1) {
    if (isUser(index)) marked.push(index)
  }
  return marked
}
