import { expect, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { understand } from './demo-understand'

const uid = '0198a000-0000-7000-8000-000000000001'

test.each([
  ['Which storages are there?', 'list_storages', {}],
  ['What is in the storage Media?', 'browse_folder', { storage: 'Media' }],
  [
    'Show the folder press of the storage "Our media"',
    'browse_folder',
    { storage: 'Our media', path: 'press' },
  ],
  ['Find assets about spring flowers', 'search_files', { text: 'spring flowers' }],
  [
    'Find assets with logo in the storage Media',
    'search_files',
    { text: 'logo', storage: 'Media' },
  ],
  [`What is known about the asset ${uid}?`, 'read_asset_meta', { uid }],
  [
    `Set the alternative text of the asset ${uid} to "A cat sleeps."`,
    'set_alternative_text',
    { uid, text: 'A cat sleeps.' },
  ],
  [`Describe the asset ${uid} as Two people`, 'set_alternative_text', { uid, text: 'Two people' }],
])('“%s” asks for %s', (prompt, name, args) => {
  const calls = understand(prompt, builtinTools).calls.map((call) => [
    call.name,
    JSON.parse(call.argumentsText),
  ])
  expect(calls).toEqual([[name, args]])
})
