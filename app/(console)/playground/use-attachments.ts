'use client'
import { useRef, useState } from 'react'
import { maxFileBytes, maxRunFileBytes, maxRunFiles } from '@/lib/protocol/files/given-files'
import { formatBytes } from '@/lib/words/format'
import type { DraftFile, FilesClass, RunDraft } from './run-draft'

export type AttachedFile = { key: string; name: string; bytes: number } & (
  | { state: 'sending'; percent: number }
  | { state: 'there'; file: DraftFile }
  | { state: 'failed'; error: string }
)

/** The attached files. They are uploaded as soon as they are picked. `said`: the last message for screen readers. */
export type Attachments = {
  files: readonly AttachedFile[]
  said: string
  dataClass: FilesClass
  setDataClass: (dataClass: FilesClass) => void
  add: (files: readonly File[]) => void
  remove: (key: string) => void
  reset: (draft: Pick<RunDraft, 'files' | 'dataClass'>) => void
}

const attached = (file: DraftFile): AttachedFile => ({
  ...file,
  key: file.id,
  state: 'there',
  file,
})

export function useAttachments(given: RunDraft | null): Attachments {
  const [files, setFiles] = useState(() => (given?.files ?? []).map(attached))
  const [said, setSaid] = useState('')
  const [dataClass, setDataClass] = useState<FilesClass>(given?.dataClass ?? '')
  const underWay = useRef(new Map<string, XMLHttpRequest>())
  const count = useRef(0)

  const put = (key: string, change: (file: AttachedFile) => AttachedFile) =>
    setFiles((before) => before.map((file) => (file.key === key ? change(file) : file)))

  const send = (key: string, file: File) => {
    const { name, size: bytes } = file
    const fail = (error: string) => {
      put(key, () => ({ key, name, bytes, state: 'failed', error }))
      setSaid(`${name} was not attached. ${error}`)
    }
    const request = sendFile(file, {
      onProgress: (percent) => put(key, () => ({ key, name, bytes, state: 'sending', percent })),
      onDone: (stored) => {
        put(key, () => ({ ...attached(stored), key }))
        setSaid(`${stored.name} is attached.`)
      },
      onFailed: fail,
    })
    underWay.current.set(key, request)
  }

  const add = (picked: readonly File[]) => {
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const added = picked.map((file, index) => {
      const key = `new-${++count.current}`
      const error = refusal(file, { count: files.length + index, bytes })
      if (error === null) bytes += file.size
      const facts = { key, name: file.name, bytes: file.size }
      const shown: AttachedFile =
        error === null
          ? { ...facts, state: 'sending', percent: 0 }
          : { ...facts, bytes: 0, state: 'failed', error }
      return { shown, file }
    })
    setFiles((before) => [...before, ...added.map(({ shown }) => shown)])
    for (const { shown, file } of added) {
      if (shown.state === 'sending') send(shown.key, file)
      else if (shown.state === 'failed') setSaid(`${shown.name} was not attached. ${shown.error}`)
    }
  }

  const remove = (key: string) => {
    underWay.current.get(key)?.abort()
    setFiles((before) => before.filter((file) => file.key !== key))
    setSaid('The file was removed.')
  }

  const reset = (draft: Pick<RunDraft, 'files' | 'dataClass'>) => {
    setFiles((draft.files ?? []).map(attached))
    setDataClass(draft.dataClass)
  }
  return { files, said, dataClass, setDataClass, add, remove, reset }
}

/** Returns why a file is refused before it is sent; null = it may be sent. */
function refusal(file: File, already: { count: number; bytes: number }): string | null {
  if (file.size === 0) return 'The file is empty.'
  if (file.size > maxFileBytes) return `A file may have up to ${formatBytes(maxFileBytes)}.`
  if (already.count >= maxRunFiles) return `A run takes up to ${maxRunFiles} files.`
  if (already.bytes + file.size > maxRunFileBytes)
    return `Together, files may have up to ${formatBytes(maxRunFileBytes)}.`
  return null
}

type Sending = {
  onProgress: (percent: number) => void
  onDone: (file: DraftFile) => void
  onFailed: (error: string) => void
}

/** Uses XMLHttpRequest, because `fetch` does not report how much of a body was sent. */
function sendFile(file: File, { onProgress, onDone, onFailed }: Sending): XMLHttpRequest {
  const request = new XMLHttpRequest()
  request.open('POST', `/api/v1/files?name=${encodeURIComponent(file.name.slice(-500))}`)
  request.responseType = 'json'
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) =>
    onProgress(total === 0 ? 0 : Math.floor((100 * loaded) / total))
  request.onload = () => {
    const { status, response } = request
    if (status === 201 && response) return onDone(response)
    onFailed(response?.detail ?? 'The server refused it. Try again.')
  }
  request.onerror = () => onFailed('The server cannot be reached. Add it again.')
  request.send(file)
  return request
}

/** Returns the attached files as the part of a draft that holds them. */
export function filesOf({ files, dataClass }: Attachments): Pick<RunDraft, 'files' | 'dataClass'> {
  const there = files.flatMap((each) => (each.state === 'there' ? [each.file] : []))
  return { files: there.length === files.length ? there : null, dataClass }
}
