import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { readBody } from '@/lib/kernel/read-body'
import { FileDataClass } from '@/lib/protocol/run-file'
import { uploadFile } from '@/lib/runs/files/upload-file'
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
