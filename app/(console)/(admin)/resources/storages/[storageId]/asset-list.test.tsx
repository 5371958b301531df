import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { putBackAsset } from '../actions'
import { AssetList } from './asset-list'
import { AssetThumb } from './asset-thumb'

vi.mock('../actions', () => ({ putBackAsset: vi.fn() }))

const asset = {
  uid: 'a1',
  storageId: 's1',
  path: 'press/logo.png',
  title: '',
  alternativeText: '',
  mediaType: 'image/png',
  bytes: 9,
  width: 1,
  height: 1,
  checksum: 'ab',
  shown: true,
  createdByLabel: '',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  deletedAt: null,
}
const address = {
  path: '/resources/storages/s1',
  values: {},
  page: 1,
  sort: { by: 'path', default: 'path' } as const,
}

test('an image that the browser cannot show has the icon of an image', () => {
  const { container } = showInPage(<AssetThumb asset={asset} />)
  const image = container.querySelector('img')
  if (!image) throw new Error('No thumbnail is shown.')
  fireEvent.error(image)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('svg')).not.toBeNull()
})

test('an image has a thumbnail and a page, what is large has an icon, and what is deleted can be restored', async () => {
  vi.mocked(putBackAsset).mockResolvedValue({ ok: true, value: undefined })
  const deletedAt = '2026-01-03T00:00:00.000Z'
  const gone = { ...asset, uid: 'a2', title: 'Old logo', shown: false, deletedAt }
  const large = { ...asset, uid: 'a3', title: 'Poster', bytes: 6 * 1024 * 1024 }
  showInPage(
    <NuqsTestingAdapter>
      <AssetList rows={[asset, gone, large]} address={address} />
    </NuqsTestingAdapter>,
  )
  const table = screen.getByRole('table')
  const [image, ...others] = table.querySelectorAll('img')
  expect(image).toHaveAttribute('src', '/api/v1/storages/s1/assets/a1/content')
  expect(others).toEqual([])
  expect(screen.getAllByRole('link', { name: 'logo.png' })[0]).toHaveAttribute(
    'href',
    '/resources/storages/s1/assets/a1',
  )
  expect(screen.queryByRole('link', { name: 'Old logo' })).toBeNull()
  const [restore] = screen.getAllByRole('button', { name: 'Restore' })
  if (restore) await userEvent.click(restore)
  expect(putBackAsset).toHaveBeenCalledWith({ storageId: 's1', uid: 'a2' })
})
