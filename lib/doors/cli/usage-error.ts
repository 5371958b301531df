/**
 * One sentence for a command line that cannot be understood. Values and unknown words are not repeated: they may be
 * a key that was pasted in the wrong place.
 */
export function usageError(text: string): string {
  const [first = '', ...more] = text.trim().split(/\n(?=\(Did you mean)/)
  const sentence = first
    .replace(/^error: /, '')
    .replace(/^unknown option '(--?[\w-]{0,40})[\s\S]*'$/, "unknown option '$1'")
    .replace(/^unknown command '[\s\S]*'$/, 'unknown command')
    .replace(/\.$/, '')
  const suggestion = more.map((line) => ` ${line.replace(/^\(Did/, '(did')}`).join('')
  return `toolgate: ${sentence}${suggestion}. See --help.\n`
}
