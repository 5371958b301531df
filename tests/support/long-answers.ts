const words = (at: number) => `words of sentence ${at}, of which one is *important*`

const lines = {
  list: (at: number) => `- Item ${at} with **bold** ${words(at)} and \`code\`.\n`,
  'loose list': (at: number) => `${at + 1}. Item ${at} with ${words(at)}.\n\n`,
  table: (at: number) => (at === 0 ? '| a | b |\n|---|--:|\n' : `| row ${at} | ${words(at)} |\n`),
  code: (at: number) => (at === 0 ? '```js\n' : `const value${at} = compute(${at})\n`),
  paragraph: (at: number) => `These are ${words(at)}. `,
  lines: (at: number) => `These are ${words(at)}.\n`,
  nested: (at: number) => (at === 0 ? '- Outer\n' : `  - Inner ${at}\n    - with ${words(at)}\n`),
  mixed: (at: number) => `## Part ${at}\nThese are ${words(at)}:\n- one\n- two\n\n`,
}

/** Makes an answer of about `size` characters, of one shape. */
export const longAnswers = Object.fromEntries(
  Object.entries(lines).map(([shape, lineOf]) => [
    shape,
    (size: number) => {
      let text = ''
      for (let at = 0; text.length < size; at += 1) text += lineOf(at)
      return text
    },
  ]),
)
