/** Whether a text is a JWT: anything else would only take a place among the tokens that are refused. */
export const looksLikeToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
