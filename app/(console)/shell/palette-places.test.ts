import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { placesMatching, settings } from './palette-places'

const page = (name: string) => readFileSync(`app/(console)/${name}/page.tsx`, 'utf8')

it('knows every section of the settings and the account, and leads to places that are there', () => {
  const titles = [...page('(admin)/settings').matchAll(/<SettingsSection\s+title="([^"]+)"/g)]
  const sections = titles.map(
    ([, title = '']) => `/settings#${title.toLowerCase().replaceAll(' ', '-')}`,
  )
  const own = [...page('account').matchAll(/<Section\s+id="([^"]+)"/g)].map(
    ([, id]) => `/account#${id}`,
  )
  const known = settings.map(({ href }) => href)
  expect(sections.length).toBeGreaterThan(2)
  expect([...sections, ...own].filter((href) => !known.includes(href))).toEqual([])
  expect(known.filter((href) => ![...sections, ...own].includes(href))).toEqual([])
})

it('finds pages and settings by all of their words, for whom they are', () => {
  const labels = (role: 'admin' | 'member', ...words: string[]) =>
    placesMatching(role, words).map(({ label }) => label)
  expect(labels('admin', 'webhook')).toEqual(['Budget alerts'])
  expect(labels('admin', 'webhook', 'yaml')).toEqual([])
  expect(labels('member', 'webhook')).toEqual([])
  expect(labels('member', 'password')).toEqual(['Change your password'])
  expect(labels('member', 'users')).toEqual([])
})
