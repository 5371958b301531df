import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RunFile } from '@/lib/protocol/tool'
import { AttachedFiles } from './attached-files'

const bill: RunFile = {
  id: 'f1',
  name: 'bill.pdf',
  type: 'application/pdf',
  bytes: 2_048,
  sha256: '',
  dataClass: 'content',
  pages: 12,
  mostTokens: 4_000,
}

it('says what each file was, with the pages of a PDF where they are known', () => {
  const { pages: _, ...unknown } = bill
  render(
    <AttachedFiles
      label="Attached files"
      files={[bill, { ...bill, id: 'f2', pages: 1 }, { ...unknown, id: 'f3' }]}
    />,
  )
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent)
  expect(links).toEqual([
    'bill.pdfPDF, 12 pages, 2 KB, Content',
    'bill.pdfPDF, 1 page, 2 KB, Content',
    'bill.pdfPDF, 2 KB, Content',
  ])
})
