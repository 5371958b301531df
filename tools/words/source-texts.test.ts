import { expect, test } from 'vitest'
import { sourceTexts } from './source-texts'

function textsOf(source: string, file = 'page.tsx'): string[] {
  return sourceTexts(file, source).map(({ line, text }) => `${line} ${text}`)
}

test('a sentence of JSX is one text, with what stands inside it', () => {
  const source = `const page = (
  <p className="text-muted">
    Stop <b>{title}</b> and{' '}
    <Link href="/runs">its runs</Link>.
    <Button aria-label="Close the dialog" size="small">Stop</Button>
  </p>
)`
  expect(textsOf(source)).toEqual(['3 Stop {title} and its runs.', '5 Stop', '5 Close the dialog'])
})

test('strings and templates that a person reads are texts, also one word under a name that says so', () => {
  const source = `const stateWords = { ended: 'ended', waiting: 'waiting for approval' }
throw new ConflictError(\`The budget \${title} is gone.\`)
command.option('--max-rounds <number>', 'maximum rounds of a run')`
  expect(textsOf(source, 'words.ts')).toEqual([
    '1 ended',
    '1 waiting for approval',
    '2 The budget {title} is gone.',
    '3 --max-rounds <number>',
    '3 maximum rounds of a run',
  ])
})

test('classes, keys, statements, imports and comparisons are no texts', () => {
  const source = `'use client'
import { a } from './the place'
const box = cn('flex gap-2 text-muted', isOpen && 'grid')
const rows = query('SELECT id FROM runs')
const other = \`UPDATE runs SET status = \${status}\`
type State = 'not begun' | 'ended'
const isReady = state === 'Ready to go'
const kind = 'circuit-open'`
  expect(textsOf(source)).toEqual([])
})

test('lines are right after characters of several bytes', () => {
  expect(textsOf("// “ü”\n\nconst a = 'Two words'")).toEqual(['3 Two words'])
})
