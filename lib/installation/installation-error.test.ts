import { expect, test } from 'vitest'
import { AppError } from '@/lib/kernel/errors'
import { explainFailure, InstallationError } from './installation-error'

const failure = (code: string, message = code) => Object.assign(new Error(message), { code })

test.each([
  ['a sentence of ours', new InstallationError('The port is taken.'), 'The port is taken.'],
  ['an error for people', new AppError('vault-key', 500, 'Another key.'), 'Another key.'],
  ['a full disk', failure('ENOSPC'), 'The disk is full'],
  ['a disk full for PostgreSQL', failure('53100'), 'The disk is full'],
  ['a disk full for initdb', new Error('initdb: No space left on device'), 'The disk is full'],
  [
    'a disk full for a PostgreSQL that is there already',
    new InstallationError(
      'The built-in PostgreSQL did not start (could not write lock file "postmaster.pid": No space left on device; log: x).',
    ),
    'The disk is full',
  ],
  [
    'a folder that is closed to us',
    Object.assign(failure('EACCES'), { path: '/srv/data' }),
    'Toolgate cannot write /srv/data (EACCES)',
  ],
  ['a cause below', new Error('outer', { cause: failure('ENOSPC') }), 'The disk is full'],
])('explains %s', (_what, error, sentence) => {
  expect(explainFailure(error)).toContain(sentence)
})

test('says nothing about what only a stack explains', () => {
  expect(explainFailure(new TypeError('x is not a function'))).toBe(null)
  expect(explainFailure('text')).toBe(null)
})
