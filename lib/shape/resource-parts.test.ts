import { expect, test } from 'vitest'
import { z } from 'zod'
import { resource, switchField } from './resource'
import { unfitFields } from './resource-parts'

const text = { kind: 'text', schema: z.string().nullable(), defaultValue: null } as const
const ofMail = { only: { kind: ['mail'] } } as const

const hooks = resource({
  noun: 'hook',
  nouns: 'hooks',
  fields: {
    kind: { kind: 'text', label: 'Kind', schema: z.enum(['mail', 'post']) },
    host: { ...text, label: 'Host', required: 'Enter a host.', ...ofMail },
    user: {
      ...text,
      label: 'User',
      required: 'Enter a user.',
      requiredBeside: 'password',
      ...ofMail,
    },
    password: {
      ...text,
      label: 'Password',
      required: 'Enter a password.',
      requiredBeside: 'user',
      isSecret: true,
      ...ofMail,
    },
    path: {
      ...text,
      label: 'Path',
      required: 'Enter a path.',
      requiredOf: { kind: ['post'] },
    },
    security: { ...text, label: 'Security', ...ofMail, defaultValue: 'tls' },
    enabled: switchField('Nothing is sent.'),
  },
  sorts: ['state'],
  order: 'state',
})

const mail = { kind: 'mail', host: 'a', enabled: true }
const foreign = 'A hook of this kind does not have this field. Leave it out.'

test.each([
  ['what is required', { kind: 'mail' }, [], { host: 'Enter a host.' }],
  ['what another kind needs', { kind: 'post', path: '/', security: 'tls' }, [], {}],
  ['what is required of this kind', { kind: 'post' }, [], { path: 'Enter a path.' }],
  [
    'what only another kind has',
    { kind: 'post', path: '/', host: 'a', security: 'none' },
    [],
    { host: foreign, security: foreign },
  ],
  ['a pair', { ...mail, user: 'ada', password: 'pass' }, [], {}],
  ['half of a pair', { ...mail, user: 'ada' }, [], { password: 'Enter a password.' }],
  ['the other half', { ...mail, password: 'pass' }, [], { user: 'Enter a user.' }],
  ['half of a pair whose secret is stored', { ...mail, user: 'ada' }, ['password'], {}],
  ['a stored secret without its other half', mail, ['password'], { user: 'Enter a user.' }],
  ['a secret that is missing while off', { ...mail, user: 'ada', enabled: false }, [], {}],
  ['no secret, also while off', { kind: 'mail', enabled: false }, [], { host: 'Enter a host.' }],
])('%s', (_what, values, kept, errors) => {
  expect(unfitFields(hooks, { before: null, given: values }, new Set(kept))).toEqual(errors)
})
