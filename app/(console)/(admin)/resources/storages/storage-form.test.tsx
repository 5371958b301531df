import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { NewStorageButton, StorageActions } from './storage-form'

const choices = { me: { id: 'u1', email: 'ada@example.org' }, groups: [] }

test('the form of a storage opens, a new one with the usual limits, and one without a note', async () => {
  showInPage(<NewStorageButton choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add storage' }))
  expect(screen.getByLabelText(/^Largest file/)).toHaveValue('20')
  expect(screen.getByLabelText(/^All files together/)).toHaveValue('1024')
  expect(screen.getByLabelText(/^Note/)).toHaveValue('')
})

test('the form of a storage is filled with what is stored, nothing where there is none', async () => {
  const storage = {
    id: 's1',
    name: 'Media',
    largestFile: 5,
    wholeSize: 7,
    groups: [],
    note: null,
    enabled: true,
    assets: 0,
    bytes: 0,
    createdByLabel: 'ada@example.org',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  showInPage(<StorageActions object={storage} choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText(/^Name/)).toHaveValue('Media')
  expect(screen.getByLabelText(/^Largest file/)).toHaveValue('5')
  expect(screen.getByLabelText(/^Note/)).toHaveValue('')
})
