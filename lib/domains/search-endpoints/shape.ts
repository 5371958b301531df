import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { choicesOf } from '@/lib/shape/field-shape'
import { nameField } from '@/lib/shape/identifier'
import { secretText, WebAddress } from '@/lib/shape/network-fields'
import { resource, switchField } from '@/lib/shape/resource'
import { listedPrivateAddressField } from '@/lib/shape/resource-fields'
import { cleanKey } from '@/lib/words/pasted-text'
import { SearchKind, searchKindWords, usualAddress } from './shared/search-kind'

const Address = WebAddress.refine(
  (text) => !/[?#]/.test(text),
  'Leave out the part from ? or # on. A key belongs into the field for it.',
)

/** A search endpoint: a service that `web_search` asks. */
export const searchEndpoints = resource({
  ...describedNouns.searchEndpoints,
  about: 'the services that web_search asks',
  fields: {
    name: {
      ...nameField,
      hint: 'Endpoints are asked in the order of their names.',
    },
    kind: {
      kind: 'select',
      label: 'Kind',
      placeholder: 'Pick a kind',
      choices: choicesOf(searchKindWords),
      listed: true,
      schema: SearchKind,
      isFixed: true,
    },
    address: {
      kind: 'text',
      type: 'url',
      codec: 'text',
      label: 'Address',
      hint: 'Of your SearXNG server, or of a proxy. Brave and Tavily need none.',
      required: 'Enter the address of the SearXNG server.',
      requiredOf: { kind: ['searxng'] },
      listed: true,
      searched: true,
      schema: Address.nullable(),
      defaultValue: null,
      textOf: (address, { kind }) =>
        String(address ?? usualAddress[SearchKind.catch('searxng').parse(kind)] ?? ''),
    },
    key: {
      ...secretText({
        label: 'Key',
        hint: 'SearXNG needs none, unless a proxy asks for one (Authorization: Bearer).',
        required: 'Enter the key of this service.',
      }),
      // It becomes a header.
      cleans: 'key',
      schema: z
        .string()
        .overwrite(cleanKey)
        .max(500, 'A key has at most 500 characters.')
        .regex(/^[!-~]+$/, 'A key has only letters, digits and signs, without spaces.')
        .nullable(),
      requiredOf: { kind: ['brave', 'tavily'] },
      listed: true,
    },
    privateAddressAllowed: listedPrivateAddressField,
    enabled: switchField('Nothing is asked there until it is switched on again.'),
  },
  sorts: ['name', 'kind', 'state'],
  order: 'name',
  filters: { kind: SearchKind.optional() },
  acts: { test: 'Sent a test query' },
})
