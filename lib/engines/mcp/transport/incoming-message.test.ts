import { expect, test } from 'vitest'
import { mapEvents, readMessage, withoutNulls } from './incoming-message'

const answer = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result })

test('null for an optional member of the protocol is absent, at each place that has one', () => {
  const icons = [{ src: 'a', mimeType: null, sizes: null, theme: null }]
  const sent = {
    ...answer({
      _meta: null,
      isError: null,
      structuredContent: null,
      nextCursor: null,
      instructions: null,
      capabilities: { logging: null, tools: { listChanged: null }, prompts: null },
      serverInfo: { name: 'a', version: '1', title: null, icons, websiteUrl: null },
      content: [
        { type: 'text', text: 'a', _meta: null, annotations: { audience: null, priority: null } },
        { type: 'resource_link', uri: 'a', name: 'a', title: null, size: null, icons: null },
        { type: 'resource', resource: { uri: 'a', text: 'a', mimeType: null, _meta: null } },
      ],
    }),
    error: null,
    method: null,
    params: null,
  }
  expect(withoutNulls(sent)).toEqual(
    answer({
      capabilities: { tools: {} },
      serverInfo: { name: 'a', version: '1', icons: [{ src: 'a' }] },
      content: [
        { type: 'text', text: 'a', annotations: {} },
        { type: 'resource_link', uri: 'a', name: 'a' },
        { type: 'resource', resource: { uri: 'a', text: 'a' } },
      ],
    }),
  )
})

test('null of a tool of the newest era is absent; one of an older era stays, because its hash was accepted', () => {
  const schema = { type: 'object', properties: { a: { default: null, title: null } } }
  const tool = { name: 'a', title: null, inputSchema: schema, annotations: { title: null } }
  const plain = { name: 'a', inputSchema: schema, annotations: {} }
  const list = (tools: unknown[], more = {}) => answer({ ...more, tools })
  expect(withoutNulls(list([tool]))).toEqual(list([tool]))
  const modern = { resultType: 'complete' }
  expect(withoutNulls(list([tool], modern))).toEqual(list([plain], modern))
})

test.each([
  [
    'structured content',
    { content: [], structuredContent: { a: null, content: [{ title: null }] } },
  ],
  ['a value of _meta', { content: [], _meta: { a: null, annotations: { audience: null } } }],
  ['a required member', { content: [{ type: 'text', text: null }] }],
  ['a member that the protocol does not know', { content: [], mine: null }],
])('null in %s stays', (_place, result) => {
  expect(withoutNulls(answer(result))).toEqual(answer(result))
})

test.each([
  ['{"jsonrpc":"2.0","id":3,"result":{"a":1},"error":null}', 'message'],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"a","data":null}}', 'message'],
  ['{"jsonrpc":"2.0","method":"a","params":null}', 'message'],
  ['{"jsonrpc":"2.0","method":"a","params":{"_meta":null}}', 'message'],
  ['{"jsonrpc":"2.0","id":3,"result":{"a":NaN}}', { type: 'unreadable', id: null }],
  ['{"jsonrpc":"2.0","id":3,"result":null}', { type: 'unreadable', id: 3 }],
  ['{"id":"a","result":{}}', { type: 'unreadable', id: 'a' }],
  ['{"jsonrpc":"2.0","id":3,"result":{},"more":1}', { type: 'unreadable', id: 3 }],
  ['{"jsonrpc":"2.0","method":"a","params":[]}', 'text'],
  ['{"level":"error","error":"a"}', 'text'],
  ['Listening on port 3000', 'text'],
  ['[1]', 'text'],
])('%s is read as %o', (text, expected) => {
  const read = readMessage(text)
  expect(typeof expected === 'string' ? read.type : read).toEqual(expected)
})

test('the data of events is replaced, and nothing else of a stream', () => {
  const text =
    ': hi\r\n\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\nevent: endpoint\ndata: /x\n\ndata\n\ndata: c\n\n'
  const read: string[] = []
  const mapped = mapEvents(text, (data) => {
    read.push(data)
    return data === 'c' ? null : data.toUpperCase()
  })
  expect(read).toEqual(['a\nb', '', 'c'])
  expect(mapped).toBe(
    ': hi\n\nid: 1\ndata: A\ndata: B\n\nevent: endpoint\ndata: /x\n\ndata: \n\n\n',
  )
})
