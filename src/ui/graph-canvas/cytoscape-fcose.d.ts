declare module 'cytoscape-fcose' {
  const register: import('cytoscape').Ext
  export = register
}
