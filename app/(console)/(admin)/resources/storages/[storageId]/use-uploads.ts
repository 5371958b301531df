'use client'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { bytesOf, tooLargeWords } from '@/lib/domains/storages/shared/asset'
import { sendAsset } from './send-asset'

/** A file that is uploaded, and how far that is. */
export type Uploading = { key: string; path: string } & (
  | { state: 'waiting' }
  | { state: 'sending'; percent: number }
  | { state: 'stored' }
  | { state: 'taken' }
  | { state: 'failed'; error: string }
)

type Files = readonly { file: File; path: string }[]

/** Uploads files of a storage one after the other. `said`: the last message for screen readers. */
export function useUploads({ storageId, largestFile }: { storageId: string; largestFile: number }) {
  const router = useRouter()
  const [uploads, setUploads] = useState<Uploading[]>([])
  const [said, setSaid] = useState('')
  const files = useRef(new Map<string, File>())
  const queue = useRef(Promise.resolve())
  const count = useRef(0)

  const put = (next: Uploading) =>
    setUploads((before) => before.map((each) => (each.key === next.key ? next : each)))

  const send = async (key: string, path: string, replace: boolean) => {
    const file = files.current.get(key)
    if (!file) return
    if (file.size > bytesOf(largestFile)) {
      const error = tooLargeWords(largestFile)
      setSaid(`${path} was not uploaded. ${error}`)
      return put({ key, path, state: 'failed', error })
    }
    put({ key, path, state: 'sending', percent: 0 })
    const sent = await sendAsset({ storageId, path, file, replace }, (percent) =>
      put({ key, path, state: 'sending', percent }),
    )
    if (sent.type === 'failed') {
      setSaid(`${path} was not uploaded. ${sent.error}`)
      return put({ key, path, state: 'failed', error: sent.error })
    }
    setSaid(sent.type === 'taken' ? `There is an asset at ${path}.` : `${path} is uploaded.`)
    put({ key, path, state: sent.type })
    if (sent.type === 'stored') router.refresh()
  }
  const enqueue = (key: string, path: string, replace: boolean) => {
    queue.current = queue.current.then(() => send(key, path, replace))
  }
  const add = (picked: Files) => {
    const added = picked.map(({ file, path }): Uploading => {
      const key = String(++count.current)
      files.current.set(key, file)
      return { key, path, state: 'waiting' }
    })
    setUploads((before) => [...before.filter(({ state }) => state !== 'stored'), ...added])
    for (const { key, path } of added) enqueue(key, path, false)
  }
  const replace = (key: string, path: string) => {
    put({ key, path, state: 'waiting' })
    enqueue(key, path, true)
  }
  const drop = (key: string) => {
    files.current.delete(key)
    setUploads((before) => before.filter((each) => each.key !== key))
  }
  return { uploads, said, add, replace, drop }
}
