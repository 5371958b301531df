import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { maxFileBytes } from '@/lib/protocol/files/given-files'
import { AttachArea } from './attach-area'
import { filesOf, useAttachments } from './use-attachments'

/** An upload whose progress and answer the test gives. */
class Upload {
  static all: Upload[] = []
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload = () => {}
  onerror = () => {}
  status = 0
  response: unknown = null
  address = ''
  aborted = false
  constructor() {
    Upload.all.push(this)
  }
  open(_method: string, address: string) {
    this.address = address
  }
  setRequestHeader() {}
  send() {}
  abort() {
    this.aborted = true
  }
  answer(status: number, response: unknown) {
    Object.assign(this, { status, response })
    act(() => this.onload())
  }
}

beforeEach(() => {
  Upload.all = []
  vi.stubGlobal('XMLHttpRequest', Upload)
})
afterEach(() => void vi.unstubAllGlobals())

function Form() {
  const attachments = useAttachments(null)
  return (
    <AttachArea attachments={attachments}>
      <textarea aria-label="Prompt" />
      <output>{JSON.stringify(filesOf(attachments).files)}</output>
    </AttachArea>
  )
}

const show = () => render(<Form />)

const picture = new File(['x'], 'cat.png', { type: 'image/png' })
const stored = { id: 'f1', name: 'cat.png', type: 'image/png', bytes: 1 }

it('uploads picked files, shows the progress, and lets the keyboard remove them', async () => {
  const user = userEvent.setup()
  show()
  await user.upload(screen.getByLabelText('Files to attach'), picture)
  const [upload] = Upload.all
  expect(upload?.address).toBe('/api/v1/files?name=cat.png')
  act(() => upload?.upload.onprogress?.({ loaded: 1, total: 2 }))
  expect(screen.getByRole('progressbar', { name: 'Upload of cat.png' })).toHaveValue(50)
  expect(screen.getByText('null')).toBeInTheDocument()
  upload?.answer(201, stored)
  expect(screen.getByText('cat.png is attached.')).toBeInTheDocument()
  expect(JSON.parse(document.querySelector('output')?.textContent ?? '')).toMatchObject([stored])
  screen.getByRole('button', { name: 'Remove cat.png' }).focus()
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Attach files' })).toHaveFocus()
})

it('shows how many pages a PDF has', async () => {
  const user = userEvent.setup()
  show()
  await user.upload(screen.getByLabelText('Files to attach'), picture)
  Upload.all[0]?.answer(201, { ...stored, type: 'application/pdf', bytes: 2048, pages: 12 })
  expect(screen.getByText('2 KB, 12 pages')).toBeInTheDocument()
})

it('uploads dropped and pasted files', () => {
  show()
  const prompt = screen.getByLabelText('Prompt')
  fireEvent.drop(prompt, { dataTransfer: { files: [picture], types: ['Files'] } })
  fireEvent.paste(prompt, { clipboardData: { files: [picture] } })
  expect(Upload.all).toHaveLength(2)
  expect(fireEvent.paste(prompt, { clipboardData: { files: [] } })).toBe(true)
})

it('says why a file was refused, by the page or by the server', async () => {
  const user = userEvent.setup()
  show()
  const large = new File(['x'], 'large.pdf')
  Object.defineProperty(large, 'size', { value: maxFileBytes + 1 })
  fireEvent.drop(screen.getByLabelText('Prompt'), {
    dataTransfer: { files: [large], types: ['Files'] },
  })
  expect(Upload.all).toHaveLength(0)
  expect(screen.getAllByText(/A file may have up to 20 MB\./)).not.toHaveLength(0)
  await user.upload(screen.getByLabelText('Files to attach'), picture)
  Upload.all[0]?.answer(422, { detail: 'The file is empty.' })
  expect(screen.getByText('The file is empty.')).toBeInTheDocument()
})

it('stops an upload that is removed', async () => {
  const user = userEvent.setup()
  show()
  await user.upload(screen.getByLabelText('Files to attach'), picture)
  await user.click(screen.getByRole('button', { name: 'Remove cat.png' }))
  expect(Upload.all[0]?.aborted).toBe(true)
})
