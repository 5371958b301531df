import { replaceFile } from '@/lib/engines/tools/sandbox/write-file'

// Writes the file of a workspace that its arguments name, again and again, with one text and then another.
const [root = '', path = ''] = process.argv.slice(2)
const texts = ['a', 'b'].map((letter) => letter.repeat(900_000))

for (let turn = 0; ; turn += 1) {
  const [expected = '', text = ''] = turn % 2 === 0 ? texts : texts.toReversed()
  await replaceFile({ root, path }, { expected, text })
  if (turn === 2) console.log('writes')
}
