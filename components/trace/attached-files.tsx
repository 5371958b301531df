import { FileIcon, FileText } from 'lucide-react'
import type { FileType, RunFile } from '@/lib/protocol/tool'
import { dataClassWords } from '@/lib/protocol/trust-words'
import { countOf, formatBytes, isImage } from '@/lib/words/format'
import { VisibleText } from './visible-text'

const typeWords: Record<FileType, string> = {
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
  'image/webp': 'WebP image',
  'image/gif': 'GIF image',
  'application/pdf': 'PDF',
  'text/plain': 'Text',
}

function factsOf({ type, bytes, pages, dataClass }: RunFile): string[] {
  const length = pages === undefined ? [] : [countOf(pages, 'page')]
  return [typeWords[type], ...length, formatBytes(bytes), dataClassWords[dataClass]]
}

const addressOf = (id: string) => `/api/v1/files/${id}/content`

/** Shows the files of a run or the images of a result. Readers who may not open them see name, type and size. */
export function AttachedFiles({ files, label }: { files: readonly RunFile[]; label: string }) {
  return (
    <ul aria-label={label} className="mt-2 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="w-full min-w-0 sm:w-72">
          <a
            href={addressOf(file.id)}
            target="_blank"
            rel="noreferrer"
            className="flex items-center gap-2 rounded-md border bg-surface-0 p-2 text-sm hover:bg-surface-2"
          >
            <FileThumb file={file} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-strong">
                <VisibleText text={file.name} />
              </span>
              <span className="numeric block text-muted">{factsOf(file).join(', ')}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Shows a thumbnail of an image, and an icon for other files. */
export function FileThumb({ file }: { file: { id: string; type: FileType } | null }) {
  if (file && isImage(file.type)) {
    return (
      // biome-ignore lint/performance/noImgElement: shown as it was uploaded, to whoever may read it
      <img
        src={addressOf(file.id)}
        alt=""
        loading="lazy"
        className="size-10 shrink-0 rounded-sm object-cover"
      />
    )
  }
  const Sign = file === null ? FileIcon : FileText
  return <Sign className="m-2 size-6 shrink-0 text-muted" aria-hidden />
}
