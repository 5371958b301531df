import { formatCount } from '@/lib/protocol/format'

/** Descriptions of suspicious phrases. Flags of other versions are shown by their names. */
const words: ReadonlyMap<string, string> = new Map([
  ['ignore-instructions', 'asks to ignore instructions'],
  ['new-instructions', 'gives new instructions'],
  ['role-change', 'gives the model another role'],
  ['system-prompt', 'asks for secrets or the system prompt'],
  ['hide-from-user', 'asks to keep something from people'],
  ['exfiltrate', 'asks to send something away'],
  ['call-a-tool', 'asks for a tool call'],
  ['chat-markup', 'imitates the markup of a conversation'],
  ['hidden-text', 'contains hidden or disguised text'],
])

/** Each kind of suspicious phrase in a result, and how often it was found. */
export function countFlags(
  flags: readonly string[],
): { name: string; words: string; times: number }[] {
  const times = new Map<string, number>()
  for (const name of flags) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, count]) => ({
    name,
    words: words.get(name) ?? name,
    times: count,
  }))
}

/** "asks to ignore instructions (3 times), gives new instructions" */
export function flagWords(flags: readonly string[]): string {
  return countFlags(flags)
    .map((flag) =>
      flag.times > 1 ? `${flag.words} (${formatCount(flag.times)} times)` : flag.words,
    )
    .join(', ')
}
