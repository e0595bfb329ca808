// REST Client refers to the reply of `# @name login` as `login.response.body.access_token`, httpYac by itself as
// `login.access_token`. The collection uses the former, and this teaches it to httpYac.
module.exports = {
  configureHooks({ hooks, utils }) {
    hooks.onResponse.addHook(
      'restClientReferences',
      ({ parsedBody, headers }, context) => {
        const { name } = context.httpRegion.metaData;
        if (!/^\w+$/.test(name)) return;
        utils.setVariableInContext({ [name]: { response: { body: parsedBody, headers } } }, context);
      },
      { after: ['handleMetaDataName'] },
    );
  },
};
