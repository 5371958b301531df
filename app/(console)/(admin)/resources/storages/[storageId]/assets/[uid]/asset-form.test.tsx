import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { sendAsset } from '@/app/(console)/(admin)/resources/storages/[storageId]/send-asset'
import {
  putBackAsset,
  removeAsset,
  saveAsset,
} from '@/app/(console)/(admin)/resources/storages/actions'
import { showInPage } from '@/tests/support/show-in-page'
import { AssetActions } from './asset-form'

vi.mock('@/app/(console)/(admin)/resources/storages/actions', () => ({
  putBackAsset: vi.fn(),
  removeAsset: vi.fn(),
  saveAsset: vi.fn(),
}))
vi.mock('@/app/(console)/(admin)/resources/storages/[storageId]/send-asset', () => ({
  sendAsset: vi.fn(),
}))

const asset = {
  uid: 'a1',
  storageId: 's1',
  path: 'press/logo.png',
  title: '',
  alternativeText: '',
  mediaType: 'image/png',
  bytes: 9,
  width: null,
  height: null,
  checksum: 'ab',
  shown: false,
  createdByLabel: '',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  deletedAt: null,
}
const named = { storageId: 's1', uid: 'a1' }
const done = { ok: true, value: undefined } as const

beforeEach(() => {
  vi.clearAllMocks()
  showInPage(<AssetActions asset={asset} largestFile={1} />)
})

test('an asset without title and text is edited, on the basis of what the form was filled from', async () => {
  vi.mocked(saveAsset).mockResolvedValue(done)
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText(/^Path/)).toHaveValue('press/logo.png')
  expect(screen.getByLabelText(/^Alternative text/)).toHaveValue('')
  await userEvent.type(screen.getByLabelText(/^Alternative text/), 'A circle')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const { path, title, updatedAt } = asset
  const typed = { path, title, alternativeText: 'A circle', reason: '' }
  expect(saveAsset).toHaveBeenCalledWith({ ...named, updatedAt, ...typed })
})

test('an asset is deleted at once, and put back by Undo', async () => {
  vi.mocked(removeAsset).mockResolvedValue(done)
  vi.mocked(putBackAsset).mockResolvedValue(done)
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  // While it is open, the menu keeps the pointer from the rest of the page.
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(removeAsset).toHaveBeenCalledWith(named)
  await waitFor(() => expect(putBackAsset).toHaveBeenCalledWith(named))
})

test('its file is replaced at its path, and one that is too large is not sent', async () => {
  vi.mocked(sendAsset).mockResolvedValue({ type: 'stored' })
  const pick = (size: number) => {
    const file = new File([new Uint8Array(size)], 'other.png')
    return userEvent.upload(screen.getByLabelText('New file of the asset'), file)
  }
  await pick(1024 * 1024 + 1)
  expect(await screen.findByText('A file of this storage may have up to 1 MB.')).toBeVisible()
  expect(sendAsset).not.toHaveBeenCalled()
  await pick(3)
  expect(await screen.findByText('Replaced the file')).toBeVisible()
  expect(vi.mocked(sendAsset).mock.calls[0]?.[0]).toMatchObject({
    storageId: 's1',
    path: 'press/logo.png',
    replace: true,
  })
})
