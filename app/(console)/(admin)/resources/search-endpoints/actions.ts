'use server'
import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { testSearchEndpoint } from '@toolgate/server/probes/test-search-endpoint'
import { action } from '@/lib/next/action'

export const addSearchEndpoint = action(searchEndpointVerbs.create)
export const changeSearchEndpoint = action(searchEndpointVerbs.update)
export const removeSearchEndpoint = action(searchEndpointVerbs.remove)
export const sendTestQuery = action(testSearchEndpoint)
