import { describe, expect, it } from 'vitest'
import { bedrockProblem } from '@/tests/support/model-server/bedrock-rules'

describe('the rules of the Converse API', () => {
  const use = (id: string) => ({ toolUse: { toolUseId: id, name: 'look', input: {} } })
  const result = (id: string) => ({ toolResult: { toolUseId: id, content: [{ text: 'ok' }] } })
  const body = (content: object[], after: object[], more: object = {}) => ({
    toolConfig: { tools: [{ toolSpec: { name: 'look' } }] },
    messages: [
      { role: 'user', content: [{ text: 'Look.' }] },
      { role: 'assistant', content },
      { role: 'user', content: after },
    ],
    ...more,
  })
  it('take calls with their results', () => {
    expect(bedrockProblem(body([use('a'), use('b')], [result('b'), result('a')]))).toBeNull()
  })
  it.each([
    ['one result', body([use('a'), use('b')], [result('a')]), 'Expected toolResult'],
    ['a result of nothing', body([use('a')], [result('a'), result('x')]), 'exceeds'],
    ['blank text', body([use('a'), { text: ' ' }], [result('a')]), 'blank'],
    ['no tools', body([use('a')], [result('a')], { toolConfig: undefined }), 'toolConfig'],
    ['two users', { messages: Array(2).fill({ role: 'user', content: [{ text: 'a' }] }) }, 'alter'],
    [
      'a thought that was changed',
      body(
        [{ reasoningContent: { reasoningText: { text: 'x', signature: 'y' } } }, use('a')],
        [result('a')],
      ),
      'Invalid signature',
    ],
    [
      'a name of other letters',
      body([{ text: 'a' }], [{ text: 'b' }], {
        toolConfig: { tools: [{ toolSpec: { name: 'ü' } }] },
      }),
      'tool name',
    ],
  ])('refuse %s', (_what, sent, why) => expect(bedrockProblem(sent)).toContain(why))
})
