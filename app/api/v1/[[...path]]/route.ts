import { endpoints } from '@toolgate/server/doors/api/endpoints'
import { router } from '@toolgate/server/doors/api/router'

const answer = router('/api/v1', endpoints)

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
