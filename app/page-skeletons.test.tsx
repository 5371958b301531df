import { render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, test } from 'vitest'

const pages = import.meta.glob<{ default: ComponentType }>('./**/loading.tsx', { eager: true })

test('every page that loads shows one of the three skeletons, announced in words', () => {
  const announced = Object.entries(pages).map(([file, { default: Loading }]) => {
    const { getByRole, unmount } = render(<Loading />)
    const status = getByRole('status')
    expect(status.querySelectorAll('[aria-hidden]').length, file).toBeGreaterThan(4)
    const words = status.textContent
    unmount()
    return words
  })
  expect(announced.length).toBeGreaterThan(20)
  expect([...new Set(announced)].sort()).toEqual([
    'Loading the form',
    'Loading the list',
    'Loading the page',
  ])
})

test('lists stand in with rows, forms without', () => {
  const rowsOf = (file: string) => {
    const Loading = pages[file]?.default
    if (!Loading) throw new Error(`${file} is missing.`)
    const { queryAllByRole, unmount } = render(<Loading />)
    const rows = queryAllByRole('listitem').length
    unmount()
    return rows
  }
  const files = Object.keys(pages)
  const lists = files.filter((file) => file.endsWith('/(list)/loading.tsx'))
  const forms = files.filter((file) => /\/(new|edit)\/loading\.tsx$/.test(file))
  expect(lists.length).toBeGreaterThan(5)
  expect(forms.length).toBeGreaterThan(1)
  expect(lists.filter((file) => rowsOf(file) === 0)).toEqual([])
  expect(forms.filter((file) => rowsOf(file) > 0)).toEqual([])
})
