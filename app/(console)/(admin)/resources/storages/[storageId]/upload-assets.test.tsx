import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { type Sent, sendAsset } from './send-asset'
import { UploadAssets } from './upload-assets'

vi.mock('./send-asset', () => ({ sendAsset: vi.fn() }))

const request = vi.mocked(sendAsset)
const answers = (...sent: Sent[]) => {
  for (const each of sent) request.mockResolvedValueOnce(each)
}

beforeEach(() => {
  request.mockReset()
  showInPage(<UploadAssets storageId="s1" largestFile={1} wholeSize={9} />)
})

const file = (name: string, size = 3) => new File([new Uint8Array(size)], name)
const pick = (...files: File[]) => userEvent.upload(screen.getByLabelText('Files to upload'), files)

test('several files are sent one after the other, each below the folder, with the limits in words', async () => {
  expect(screen.getByText(/^Up to 1 MB each, 9 MB in all/)).toBeVisible()
  answers({ type: 'stored' }, { type: 'failed', error: 'The storage is full.' })
  await userEvent.type(screen.getByLabelText('Folder'), 'press')
  await pick(file('a.png'), file('b.png'))
  expect(await screen.findByText('uploaded')).toBeVisible()
  expect(await screen.findByText('The storage is full.')).toBeVisible()
  expect(request.mock.calls.map(([{ path, replace }]) => [path, replace])).toEqual([
    ['press/a.png', false],
    ['press/b.png', false],
  ])
})

test('a path that is taken asks whether to replace the file', async () => {
  answers({ type: 'taken' }, { type: 'stored' })
  await pick(file('a.png'))
  await userEvent.click(await screen.findByRole('button', { name: 'Replace a.png' }))
  await waitFor(() => expect(screen.getByText('uploaded')).toBeVisible())
  expect(request.mock.calls.map(([{ replace }]) => replace)).toEqual([false, true])
})

test('a file that is too large is not sent', async () => {
  await pick(file('a.png', 1024 * 1024 + 1))
  expect(await screen.findByText('A file of this storage may have up to 1 MB.')).toBeVisible()
  expect(request).not.toHaveBeenCalled()
})
