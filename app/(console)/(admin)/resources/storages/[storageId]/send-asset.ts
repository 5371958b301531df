/** End of an upload. `taken`: there is an asset at its path. */
export type Sent = { type: 'stored' } | { type: 'taken' } | { type: 'failed'; error: string }

type Upload = { storageId: string; path: string; file: File; replace: boolean }

/** Uploads a file as an asset. Uses XMLHttpRequest, because `fetch` does not report how much of a body was sent. */
export function sendAsset(
  { storageId, path, file, replace }: Upload,
  onProgress: (percent: number) => void,
): Promise<Sent> {
  const query = new URLSearchParams({ storage: storageId, path, replace: String(replace) })
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/v1/asset-files?${query}`)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : Math.floor((100 * loaded) / total))
    request.onload = () => resolve(answerOf(request))
    request.onerror = () =>
      resolve({ type: 'failed', error: 'The server cannot be reached. Try again.' })
    request.send(file)
  })
}

function answerOf({ status, response }: XMLHttpRequest): Sent {
  if (status === 200 || status === 201) return { type: 'stored' }
  if (status === 409 && response?.errors?.path) return { type: 'taken' }
  return { type: 'failed', error: response?.detail ?? 'The server refused it. Try again.' }
}
