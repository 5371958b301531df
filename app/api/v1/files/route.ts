import { z } from 'zod'
import { uploadFile } from '@/lib/files/upload-file'
import { route } from '@/lib/http'
import { FileDataClass } from '@/lib/protocol/run-file'
import { readBody } from '@/lib/read-body'
import { onlyMethods } from '../only-methods'

const Upload = z.object({
  name: z.string().max(1_000).default('file'),
  dataClass: FileDataClass.nullable().default(null),
})

/** Takes the bytes of one file as its body, up to 20 MiB. The type is detected from the bytes. */
const upload = route(
  { role: 'member', scope: 'runs:write', query: Upload },
  async ({ ctx, request, query }) => {
    const file = await uploadFile(ctx, { ...query, content: await readBody(request) })
    const headers = { location: `/api/v1/files/${file.id}/content` }
    return Response.json(file, { status: 201, headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: upload })
