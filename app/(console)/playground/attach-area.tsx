'use client'
import { Paperclip, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { FileThumb } from '@/components/trace/attached-files'
import { Warning } from '@/components/trace/hidden-text-note'
import { VisibleText } from '@/components/trace/visible-text'
import { FileDropArea, FilePicker } from '@/components/ui/file-drop'
import { IconButton } from '@/components/ui/icon-button'
import { Select } from '@/components/ui/select'
import { AttachText } from '@/components/ui/textarea'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { dataClassWords } from '@/lib/protocol/trust-words'
import { countOf, formatBytes } from '@/lib/words/format'
import type { AttachedFile, Attachments } from './use-attachments'

const accepted =
  'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.md,.csv,.json,.log'
const usual = 'usual'
const classes = [
  { value: usual, label: 'From the configuration' },
  ...FileDataClass.options.map((value) => ({ value, label: dataClassWords[value] })),
]
/** The choice shown when the files of the repeated run had different classes. */
const each = { value: 'own', label: 'Each file its own' }

type Props = { attachments: Attachments; error?: string; children: ReactNode }

/** Shows the prompt field and the files that are sent with it. Files can be dropped, pasted or picked. */
export function AttachArea({ attachments, error, children }: Props) {
  const { files, said, add, remove, dataClass } = attachments
  const hasOwn = files.some((file) => file.state === 'there' && file.file.dataClass)
  const button = useRef<HTMLButtonElement>(null)
  const hintId = useId()
  return (
    <FileDropArea onFiles={add} onPaste={add}>
      <AttachText
        value={(text) => add([new File([text], 'pasted-text.txt', { type: 'text/plain' })])}
      >
        {children}
      </AttachText>
      <section aria-label="Files" className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <FilePicker
            ref={button}
            size="sm"
            label="Files to attach"
            accept={accepted}
            onFiles={add}
            hint="Images, PDF or text, up to 20 MB each."
          >
            <Paperclip className="size-4" aria-hidden />
            Attach files
          </FilePicker>
        </div>
        {error && (
          <p role="alert" className="text-error text-sm">
            {error}
          </p>
        )}
        {files.length > 0 && (
          <>
            <ul aria-label="Attached files" className="flex flex-wrap gap-2">
              {files.map((file) => (
                <FileRow
                  key={file.key}
                  file={file}
                  showsClass={dataClass === 'own'}
                  onRemove={() => {
                    remove(file.key)
                    button.current?.focus()
                  }}
                />
              ))}
            </ul>
            <div className="flex flex-wrap items-center gap-2 text-sm">
              <span id={`${hintId}-class`}>Data class</span>
              <Select
                aria-labelledby={`${hintId}-class`}
                options={hasOwn ? [each, ...classes] : classes}
                value={dataClass || usual}
                onValueChange={(value) =>
                  attachments.setDataClass(
                    value === 'own' ? value : (FileDataClass.safeParse(value).data ?? ''),
                  )
                }
                className="w-full max-w-72"
              />
            </div>
          </>
        )}
        <p role="status" className="sr-only">
          {said}
        </p>
      </section>
    </FileDropArea>
  )
}

type RowProps = { file: AttachedFile; showsClass: boolean; onRemove: () => void }

function FileRow({ file, showsClass, onRemove }: RowProps) {
  const own = showsClass && file.state === 'there' ? file.file.dataClass : null
  return (
    <li className="flex w-full min-w-0 items-center gap-2 rounded-md border bg-surface-1 p-2 sm:w-72">
      <FileThumb file={file.state === 'there' ? file.file : null} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate text-strong">
          <VisibleText text={file.name} />
        </p>
        {file.state === 'sending' && (
          <progress
            className="h-1.5 w-full accent-accent"
            max={100}
            value={file.percent}
            aria-label={`Upload of ${file.name}`}
          />
        )}
        {file.state === 'there' && (
          <p className="numeric text-muted">
            {formatBytes(file.bytes)}
            {file.file.pages != null && `, ${countOf(file.file.pages, 'page')}`}
            {own && `, ${dataClassWords[own]}`}
          </p>
        )}
        {file.state === 'there' && file.file.hidden && <Warning words={file.file.hidden} />}
        {file.state === 'failed' && <p className="text-error">{file.error}</p>}
      </div>
      <IconButton size="sm" label={`Remove ${file.name}`} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  )
}
