import { expect, test } from 'vitest'
import { didYouMean, nearestName } from './nearest-name'

const tools = ['fetch_logs', 'get_env', 'get_env_raw', 'list_groups', 'list_users']

test.each([
  ['fetch_log', 'fetch_logs'],
  ['fetch-logs', 'fetch_logs'],
  ['FETCH_LOGS', 'fetch_logs'],
  ['fecth_logs', 'fetch_logs'],
  ['get_en', 'get_env'],
  ['list_user', 'list_users'],
  [' get_env_rw ', 'get_env_raw'],
])('%j is nearest to %s', (wanted, name) => {
  expect(nearestName(wanted, tools)).toBe(name)
  expect(didYouMean(wanted, tools)).toBe(`Did you mean "${name}"?`)
})

test.each(['write_file', 'x', '', '__proto__', 'a'.repeat(100_000)])(
  '%.20j is near none',
  (wanted) => {
    expect(nearestName(wanted, tools)).toBeNull()
    expect(didYouMean(wanted, tools)).toBe('')
  },
)
