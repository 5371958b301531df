import { z } from 'zod'
import { closedFile } from '@/lib/doors/api/closed-file'
import { endpoint } from '@/lib/doors/api/endpoint'
import { readPieces } from '@/lib/edge/read-body'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { readFile } from '@/lib/runs/files/read-run-files'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { isImage } from '@/lib/words/format'

const Upload = z.object({
  name: z.string().max(1_000).default('file'),
  dataClass: FileDataClass.nullable().default(null),
})

const FileFacts = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  dataClass: z.string().nullable(),
  pages: z.number().nullable(),
  hidden: z.string().nullable().describe('Where a text has characters that people do not see.'),
})

export const fileEndpoints = [
  /** Takes the bytes of one file as its body, up to 20 MiB. The type is detected from the bytes. */
  endpoint(
    'POST',
    '/files',
    {
      role: 'member',
      scope: 'runs:write',
      query: Upload,
      summary: 'Uploads one file for a run, up to 20 MiB; its type is detected from its bytes.',
      answers: { 201: FileFacts },
    },
    async ({ ctx, request, query }) => {
      const file = await uploadFile(ctx, { ...query, pieces: await readPieces(request) })
      const headers = { location: `/api/v1/files/${file.id}/content` }
      return Response.json(file, { status: 201, headers })
    },
  ),
  /** The bytes of an uploaded file. Nothing in it can act: only images are shown, anything else is saved. */
  endpoint(
    'GET',
    '/files/{fileId}/content',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Returns the bytes of an uploaded file.',
      answers: { 200: 'application/octet-stream' },
    },
    async ({ ctx, params }) => {
      const { name, type, content } = await readFile(ctx, params.fileId ?? '')
      return closedFile({ name, type, shown: isImage(type), content })
    },
  ),
]
