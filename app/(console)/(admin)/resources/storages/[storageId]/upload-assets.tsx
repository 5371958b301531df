'use client'
import { Upload, X } from 'lucide-react'
import { useId, useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { FileDropArea, FilePicker } from '@/components/ui/file-drop'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { bytesOf, plainAssetPath } from '@/lib/domains/storages/shared/asset'
import { visibleText } from '@/lib/words/clean-text'
import { formatBytes } from '@/lib/words/format'
import { type Uploading, useUploads } from './use-uploads'

type Props = { storageId: string; largestFile: number; wholeSize: number }

/** Uploads files of a storage, which are picked or dropped here, and shows how far each is. */
export function UploadAssets({ wholeSize, ...storage }: Props) {
  const { uploads, said, add, replace, drop } = useUploads(storage)
  const [folder, setFolder] = useState('')
  const id = useId()
  const addAll = (files: readonly File[]) =>
    add(files.map((file) => ({ file, path: plainAssetPath(`${folder}/${file.name}`) })))
  return (
    <FileDropArea onFiles={addAll} className="border border-dashed p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label htmlFor={id} className="text-sm">
          Folder
        </label>
        <Input
          id={id}
          value={folder}
          placeholder="press/2026"
          className="w-full font-mono text-mono sm:w-56"
          onChange={(event) => setFolder(event.target.value)}
        />
        <FilePicker
          label="Files to upload"
          onFiles={addAll}
          hint={`Up to ${formatBytes(bytesOf(storage.largestFile))} each, ${formatBytes(bytesOf(wholeSize))} in all.`}
        >
          <Upload className="size-4" aria-hidden />
          Upload files
        </FilePicker>
      </div>
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="flex flex-col gap-1">
          {uploads.map((upload) => (
            <Row
              key={upload.key}
              upload={upload}
              onReplace={() => replace(upload.key, upload.path)}
              onDrop={() => drop(upload.key)}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </FileDropArea>
  )
}

type RowProps = { upload: Uploading; onReplace: () => void; onDrop: () => void }

function Row({ upload, onReplace, onDrop }: RowProps) {
  const name = visibleText(upload.path)
  const isUnderWay = upload.state === 'waiting' || upload.state === 'sending'
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">
        <VisibleText text={upload.path} />
      </span>
      <State upload={upload} name={name} />
      {upload.state === 'taken' && (
        <Button size="sm" onClick={onReplace}>
          Replace {name}
        </Button>
      )}
      {!isUnderWay && (
        <IconButton size="sm" label={`Remove ${name}`} onClick={onDrop}>
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

function State({ upload, name }: { upload: Uploading; name: string }) {
  switch (upload.state) {
    case 'waiting':
      return <span className="text-muted">waiting</span>
    case 'sending':
      return (
        <progress
          className="h-1.5 w-40 accent-accent"
          max={100}
          value={upload.percent}
          aria-label={`Upload of ${name}`}
        />
      )
    case 'stored':
      return <span className="text-ok">uploaded</span>
    case 'taken':
      return <span className="text-warning">There is an asset at this path. Replace its file?</span>
    case 'failed':
      return <span className="text-error">{upload.error}</span>
    default:
      return upload satisfies never
  }
}
