import { expect, test } from 'vitest'
import { skillHandler } from './skill-handler'

const text = (tools: string) => `---\nname: a\n${tools}---\nText.\n`
const two = text('allowed-tools: [x, y]\n')
const one = text('allowed-tools: [x]\n')
const other = text('allowed-tools: [z, x]\n')
const none = text('')

function phasesOf(before: string, file: string, turned?: boolean): string[] {
  const work = skillHandler.work({
    before: { name: 'a', file: before, enabled: turned === false },
    given: { name: 'a', file, ...(turned !== undefined && { enabled: turned }) },
    changed: new Set([
      ...(before === file ? [] : ['file']),
      ...(turned === undefined ? [] : ['enabled']),
    ]),
  })
  const phases = Object.entries(work).filter(([, act]) => act !== undefined)
  return phases.map(([phase]) => phase)
}

test.each([
  ['fewer tools', two, one, ['write']],
  ['other tools', two, other, ['write']],
  ['a list where there was none', none, one, ['write']],
  ['more tools', one, two, ['finish']],
  ['no list any more', one, none, ['finish']],
])('a text with %s', (_, before, after, phases) => {
  expect(phasesOf(before, after)).toEqual(phases)
})

test('is switched on before and off after configurations follow', () => {
  expect(phasesOf(one, one, true)).toEqual(['write'])
  expect(phasesOf(one, one, false)).toEqual(['finish'])
  expect(phasesOf(two, one, false)).toEqual(['write', 'finish'])
})
